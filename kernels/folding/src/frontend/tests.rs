mod circuits;
mod mock;
mod planned;
mod random;
mod shape;
