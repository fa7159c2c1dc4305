package io.tidemark.cli;

/** A part of the program that may run without the others. */
enum Role {
  POLL,
  STREAM,
  WEB
}
