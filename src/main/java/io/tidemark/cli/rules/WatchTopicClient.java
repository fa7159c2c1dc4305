package io.tidemark.cli.rules;

import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.TopicReader;
import io.tidemark.event.Watch;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The source whose rules a command is about: what was asked of it, and asking more. */
final class WatchTopicClient {

  private static final Logger LOG = LoggerFactory.getLogger(WatchTopicClient.class);

  private final Set<String> skipped = new HashSet<>();

  @Mixin
  ClusterOptions options = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME", description = "The source, where the configuration has several.")
  @Nullable
  String source;

  Topics topics() {
    return options.topicsOf(source);
  }

  /** What was asked for and announced so far. A word that cannot be read is passed over, as the source does. */
  RuleAnnouncements inForce() {
    var topics = topics();
    var inForce = new RuleAnnouncements(RuleSet.EMPTY, topics.ruleSchemas(), topics.retention().changes());
    new TopicReader(options.cluster().clientConfig(), List.of(topics.watch()), options.registry()).readAll(
        found -> {
          if (found.value() instanceof Watch word) {
            inForce.apply(word);
          }
        },
        unreadable -> skip(String.valueOf(unreadable.getMessage())));
    return inForce;
  }

  /** Said once, however often what is in force is asked for. */
  private void skip(String unreadable) {
    if (skipped.add(unreadable)) {
      LOG.warn("passed over, as the source does: {}", unreadable);
    }
  }

  /**
   * Puts a word into the topic {@code watch}, for the source's owner to hear.
   *
   * @param text null takes it back
   */
  void publish(String kind, String name, @Nullable String text) {
    var topic = topics().watch();
    var word = Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho(user()).setAt(now()).build();
    var value = topic.serde(options.registry()).encode(topic.name(), word);
    var config = new HashMap<>(options.cluster().clientConfig());
    config.put("acks", "all");
    config.put("delivery.timeout.ms", 20_000);
    config.put("request.timeout.ms", 10_000);
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic.name(), kind + "/" + name, value)).get(25, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "cannot write to " + topic.name() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "interrupted while writing to " + topic.name());
    }
  }

  /** Who asks: user@host. */
  static String user() {
    var instance = Application.instance();
    return System.getProperty("user.name", "someone") + instance.substring(Math.max(0, instance.indexOf('@')));
  }

  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
