mod crash;
mod fixture;
mod model;
mod steps;
