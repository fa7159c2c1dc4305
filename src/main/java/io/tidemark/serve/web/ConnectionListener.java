package io.tidemark.serve.web;

/** A callback for a server's connections and the responses on them, called from the threads that serve them. */
public interface ConnectionListener {
  /** A listener that does nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  default void opened() {}

  default void closed() {}

  /**
   * Called after a response. Not called for a stream of events.
   *
   * @param nanos time from the head of the request, or of the last request if several were pipelined, to the end of the
   *     response being handed to the connection
   */
  default void answered(int status, long nanos) {}
}
