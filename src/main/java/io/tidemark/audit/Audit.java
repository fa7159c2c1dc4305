package io.tidemark.audit;

import io.tidemark.event.TargetState;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads all topics of a source and holds them against the laws. It may be writing meanwhile. Memory is
 * bounded by the resources of one partition: of each, fingerprints are remembered, not values.
 */
public final class Audit {

  /** A ledger's transactions end within a minute, by themselves or by Kafka. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Topics topics;
  private final Log log;
  private final InstantSource clock;

  public Audit(Topics topics, Log log, InstantSource clock) {
    this.topics = topics;
    this.log = log;
    this.clock = clock;
  }

  /** Adds to a report what is found. Blocks. */
  public void run(Report report, Progress progress) {
    var reading = new Reading(log, report, progress);
    topics.all().forEach(reading::expect);
    transactions(report);
    ledgers().forEach(topic -> reading.spans(topic).forEach(span -> reading.ledgers(span, row -> {})));
    others().forEach(topic -> reading.spans(topic).forEach(span -> reading.read(span, row -> {})));
    looks(reading, report);
    var members = new MembersLaw(topics, reading, report);
    topics.resources().forEach(each -> resource(each, reading, report, members));
    members.check();
    new ListingLaw(topics, reading, report).check();
  }

  /** Topics that a ledger writes alone, and of which nothing more is known here. */
  private List<Topic<?>> ledgers() {
    return List.of(topics.sourceState(), topics.control(), topics.deadLetters());
  }

  /** Topics that are written by others, too. */
  private List<Topic<?>> others() {
    return Stream.<Topic<?>>concat(Stream.of(topics.watch()), topics.derived().stream()).toList();
  }

  private void transactions(Report report) {
    var late = clock.instant().minus(PATIENCE);
    topics.all().stream()
        .flatMap(topic -> log.open(topic).stream())
        .filter(open -> open.newest().isBefore(late))
        .forEach(open -> report.add(Law.TRANSACTIONS,
            new Place(open.topic(), open.partition(), open.offset(), open.producer()), "transaction",
            "one that ends within " + PATIENCE.toSeconds() + " s", "open since " + open.newest() + " or before"));
  }

  private void looks(Reading reading, Report report) {
    reading.spans(topics.targetState()).forEach(span -> {
      var sweeps = new HashMap<String, Long>();
      reading.ledgers(span, row -> {
        var before = sweeps.getOrDefault(row.name(), 0L);
        if (row.value() instanceof TargetState look && sweeps.put(row.name(), look.getSweep()) != null
            && look.getSweep() <= before) {
          report.add(Law.LOOKS, row.place(), "sweep", "more than " + before, look.getSweep());
        }
      });
    });
  }

  private static void resource(ResourceTopics<?, ?> topics, Reading reading, Report report, MembersLaw members) {
    reading.partitions(topics.changes()).forEach(partition -> {
      var laws = new ResourceLaws(topics, partition, reading, report);
      if (topics.resource().equals("ranking")) {
        laws.forEach(members::note);
      }
    });
  }
}
