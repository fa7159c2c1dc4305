package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The connection of the page, in virtual time. */
class PageHubTest {

  private static final String HUB = "src/main/resources/io/tidemark/serve/web/page/hub.js";

  @Test
  void hub_passesTheTestsOfItsScript() throws InterruptedException {
    try {
      var process = new ProcessBuilder("node", "src/test/node/hub.mjs", HUB).redirectErrorStream(true).start();
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
    } catch (IOException e) {
      abort("needs node: " + e.getMessage());
    }
  }
}
