//! The command as a process: what it prints, where, and with which exit code.
