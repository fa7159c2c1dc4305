package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.access.AccessSettings.AnonymousAccess;
import io.tidemark.config.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DemoCommandTest {

  @Test
  void demo_isForThisMachine() {
    assertThat(settings("127.0.0.1").access().anonymous()).isEqualTo(AnonymousAccess.LOCAL);
    assertThat(settings("127.0.0.1").web().address()).isEqualTo("127.0.0.1");
  }

  @Test
  void demoAtAnotherAddress_isReadByWhoeverReachesItsWebPort_andNothingElseIs() {
    var settings = settings("0.0.0.0");

    assertThat(settings.web().address()).isEqualTo("0.0.0.0");
    assertThat(settings.access().anonymous()).isEqualTo(AnonymousAccess.ANYWHERE);
    assertThat(settings.access().keys()).as("of the right to write").hasSize(1);
    assertThat(settings.management().address()).isEqualTo("127.0.0.1");
    assertThat(Objects.requireNonNull(settings.kafka().embedded()).port()).isZero();
  }

  private static Settings settings(String address) {
    var demo = new DemoCommand();
    demo.address = address;
    demo.kafkaPort = 0;
    return demo.settings(URI.create("http://127.0.0.1:1/api/v3"), operation -> Duration.ofSeconds(1));
  }
}
