mod codec;
mod crash;
mod damage;
mod fixture;
mod merging;
mod model;
mod segment;
