package io.tidemark.market;

/** A value of a closed set of the document, with the word the document uses for it. */
public interface WireValue {
  String wire();
}
