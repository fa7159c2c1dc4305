package io.tidemark.tape;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.command.CreateContainerCmd;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** The same on a Kafka that is not ours. */
class ContainerTapeIT {
  static final String IMAGE = "apache/kafka:4.3.1";

  @TempDir Path folder;

  @Test
  void kafkaInAContainer_tapeIsWhatWasServed() throws IOException {
    assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "needs Docker, to run Kafka in a container");
    try (var kafka = new KafkaContainer(IMAGE).withCreateContainerCmdModifier(ContainerTapeIT::asRoot)) {
      kafka.start();
      try (var run = new TapeRun(kafka.getBootstrapServers(), "tidemark.", folder, Scenario.CALM, "everything")) {
        run.awaitLooks(5);
        run.stop();

        run.check(true);
      }
    }
  }

  /** Kafka writes its configuration at start, which in some builds of the image only root may. */
  private static void asRoot(CreateContainerCmd command) {
    command.withUser("root");
  }
}
