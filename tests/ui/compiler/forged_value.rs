//! Nobody makes a value that a record does not allow: the derive implements no trait of others for it.

mod letters {
    #[derive(idx_core::IdxRecord, Clone, Copy)]
    #[repr(transparent)]
    pub struct Letter(#[idx(range = 1..=26)] u8);
}
use letters::Letter;

fn main() {
    let _: Letter = bytemuck::cast(200u8);
    let _: Letter = bytemuck::Zeroable::zeroed();
}
