package io.tidemark.web;

/** Hears of the connections of a server and of what is answered on them, in the threads that serve them. */
public interface ConnectionListener {
  /** Hears nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  default void opened() {}

  default void closed() {}

  /**
   * Hears of an answer. A stream of events is none.
   *
   * @param nanos from the head of the request, or of the last one where several were sent at once, until the end of the
   *     answer is handed to it
   */
  default void answered(int status, long nanos) {}
}
