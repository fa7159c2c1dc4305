package io.tidemark.cli;

import io.tidemark.event.Watch;
import io.tidemark.rule.InForce;
import io.tidemark.rule.RuleSet;
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
final class RulePlace {

  private static final Logger LOG = LoggerFactory.getLogger(RulePlace.class);

  private final Set<String> passedOver = new HashSet<>();

  @Mixin
  Place place = new Place();

  @Option(names = "--source", paramLabel = "NAME", description = "The source, where the configuration has several.")
  @Nullable
  String source;

  Topics topics() {
    return place.topicsOf(source);
  }

  /** What was asked for and announced so far. A word that cannot be read is passed over, as the source does. */
  InForce inForce() {
    var topics = topics();
    var inForce = new InForce(RuleSet.EMPTY, topics.onTheTape(), topics.retention().changes());
    new TopicReader(place.cluster().client(), List.of(topics.watch()), place.registry()).readAll(
        found -> {
          if (found.value() instanceof Watch word) {
            inForce.hear(word);
          }
        },
        unreadable -> passOver(String.valueOf(unreadable.getMessage())));
    return inForce;
  }

  /** Said once, however often what is in force is asked for. */
  private void passOver(String unreadable) {
    if (passedOver.add(unreadable)) {
      LOG.warn("passed over, as the source does: {}", unreadable);
    }
  }

  /**
   * Puts a word into the topic {@code watch}, for the source's owner to hear.
   *
   * @param text null takes it back
   */
  void say(String kind, String name, @Nullable String text) {
    var topic = topics().watch();
    var word = Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho(who()).setAt(now()).build();
    var value = topic.serde(place.registry()).encode(topic.name(), word);
    var config = new HashMap<>(place.cluster().client());
    config.put("acks", "all");
    config.put("delivery.timeout.ms", 20_000);
    config.put("request.timeout.ms", 10_000);
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic.name(), kind + "/" + name, value)).get(25, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new Failed(Failed.NOT_REACHABLE, "cannot write to " + topic.name() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failed(Failed.NOT_REACHABLE, "interrupted while writing to " + topic.name());
    }
  }

  /** Who asks: user@host. */
  static String who() {
    var instance = Wiring.instance();
    return System.getProperty("user.name", "someone") + instance.substring(Math.max(0, instance.indexOf('@')));
  }

  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
