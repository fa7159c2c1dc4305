package io.tidemark.serve.web;

/**
 * A callback for the connections of a server and the responses on these connections. Called from the threads that serve
 * the connections.
 */
public interface ConnectionListener {
  default void opened() {}

  default void closed() {}

  /**
   * Called after a response. Not called for a stream of events.
   *
   * @param nanos time from the head of the request until the end of the response was handed to the connection; counted
   *     from the last request if several were pipelined
   */
  default void answered(int status, long nanos) {}
}
