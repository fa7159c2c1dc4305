package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.notify.Receiver;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {

  static final URI MARKET = URI.create("http://127.0.0.1:1/api/v3");

  @TempDir
  Path folder;

  @Test
  void demo_isForThisMachine() {
    assertThat(settings("127.0.0.1").access().anonymous()).isEqualTo(AnonymousAccess.LOCAL);
    assertThat(settings("127.0.0.1").web().address()).isEqualTo("127.0.0.1");
  }

  @Test
  void demoAtAnotherAddress_exposesOnlyItsWebPort_forReading() {
    var settings = settings("0.0.0.0");

    assertThat(settings.web().address()).isEqualTo("0.0.0.0");
    assertThat(settings.access().anonymous()).isEqualTo(AnonymousAccess.ANYWHERE);
    assertThat(settings.access().keys()).as("of the right to write").hasSize(1);
    assertThat(settings.management().address()).isEqualTo("127.0.0.1");
    assertThat(Objects.requireNonNull(settings.kafka().embedded()).port()).isZero();
  }

  @Test
  void demoWithAPlan_hasItsCallsAndItsWatchList() {
    var demo = new DemoCommand();
    demo.plan = "analyst";

    var source = configuration(demo).settings().sources().getFirst();

    assertThat(source.limits().perMinute()).isEqualTo(500);
    assertThat(source.limits().perMonth()).isEqualTo(500_000);
    assertThat(source.client().baseUrl()).isEqualTo(MARKET);
    assertThat(source.watch().targets()).extracting(each -> each.target().query().subject())
        .contains("new_pools solana", "trending_pools base/1h");
    assertThat(source.watch().targets().getFirst().period()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void configurationBesideTheData_isForOtherCommands_holdsNoSecret() throws Exception {
    var demo = new DemoCommand();
    demo.receiver = "http://127.0.0.1:1/secret";
    try (var data = DataFolder.claim(folder)) {
      configuration(demo).write(data, "127.0.0.1:9999", 8081, 9091);
    }
    var file = folder.resolve("tidemark.yaml");

    var settings = Settings.read(file, name -> null);

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("127.0.0.1:9999");
    assertThat(settings.web().port()).isEqualTo(8081);
    assertThat(settings.management().port()).isEqualTo(9091);
    assertThat(settings.receivers()).extracting(Receiver::name).containsExactly("demo");
    assertThat(settings.sources().getFirst().watch()).usingRecursiveComparison().ignoringFieldsOfTypes(Function.class)
        .isEqualTo(configuration(demo).settings().sources().getFirst().watch());
    assertThat(file).content().doesNotContain("/secret", "${");
  }

  private static DemoConfiguration configuration(DemoCommand demo) {
    return demo.configuration(MARKET, operation -> Duration.ofSeconds(1));
  }

  private static Settings settings(String address) {
    var demo = new DemoCommand();
    demo.address = address;
    demo.kafkaPort = 0;
    return configuration(demo).settings();
  }
}
