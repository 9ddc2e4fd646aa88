//! A source, and its steps: a file for each kind of step, and one for steps in any order.

mod ending;
mod memory;
mod joining;
mod labels;
mod label_choices;
mod relabel;
mod choosing;
mod dividing;
mod changing;
mod functions;
mod chain;
