//! The server as its clients see it, over real sockets, in front of a desk that is made up.

mod desk;
mod manners;
mod routes;
mod speak;
