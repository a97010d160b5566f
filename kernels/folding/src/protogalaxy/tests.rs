mod folding;
mod polynomials;
