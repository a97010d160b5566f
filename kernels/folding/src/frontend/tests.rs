mod circuits;
mod shape;
