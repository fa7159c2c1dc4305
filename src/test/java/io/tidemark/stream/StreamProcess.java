package io.tidemark.stream;

import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;

/** The stream application in a process of its own, so that it can be killed. */
public final class StreamProcess {

  private StreamProcess() {}

  static Process start(String bootstrapServers, String prefix, Path state) throws IOException {
    var java = ProcessHandle.current().info().command().orElseThrow();
    return new ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), StreamProcess.class.getName(),
            bootstrapServers, prefix, state.toString())
        .inheritIO()
        .start();
  }

  /** Runs until killed: for bootstrap servers, prefix and state directory. */
  public static void main(String[] arguments) throws InterruptedException {
    var topics = new Topics(arguments[1], Retention.DEFAULT);
    var settings = StreamSettings.of(arguments[0], Path.of(arguments[2]));
    StreamApp.start(topics, new BuiltInRegistry(topics.all()), settings);
    Thread.currentThread().join();
  }
}
