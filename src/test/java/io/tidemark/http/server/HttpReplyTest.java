package io.tidemark.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpReplyTest {

  @Test
  void body_isThereForEachReader() {
    var reply = new HttpReply(
        "1", 200, HttpReply.JSON, "{}".getBytes(UTF_8), Map.of(), Instant.EPOCH, null);

    assertThat(UTF_8.decode(reply.body()).toString()).isEqualTo("{}");
    assertThat(UTF_8.decode(reply.body()).toString()).isEqualTo("{}");
  }
}
