package io.tidemark.cli.command;

import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.config.Settings;
import io.tidemark.event.SafeText;
import io.tidemark.receiver.DeliveryProgress;
import io.tidemark.receiver.Receiver;
import io.tidemark.receiver.Receivers;
import io.tidemark.topic.Topics;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Says of each receiver how much waits for it, when it was told last, and what is wrong.")
final class ListReceiversCommand implements Runnable {

  private static final int LONGEST = 120;

  @Mixin
  ClusterOptions place = new ClusterOptions();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var settings = settings();
    try (var admin = place.cluster().admin()) {
      for (var source : settings.sources()) {
        var topics = Application.topics(settings, source);
        for (var receiver : settings.receivers()) {
          print(receiver, topics, admin);
        }
      }
    } catch (ExecutionException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "Kafka does not say how far receivers are: " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "interrupted");
    }
  }

  private Settings settings() {
    var settings = place.settings();
    if (settings == null || settings.receivers().isEmpty()) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, settings == null
          ? "--config is missing: it names the receivers"
          : "the configuration names no receivers");
    }
    return settings;
  }

  private void print(Receiver receiver, Topics topics, Admin admin) throws ExecutionException, InterruptedException {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var group = Receivers.group(receiver.name(), topics);
    var come = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    var progress = come.values().stream()
        .map(position -> DeliveryProgress.of(position.metadata()))
        .max(Comparator.comparing(DeliveryProgress::deliveredAt));
    out.printf("%-20s %s%n", receiver.name(), come.isEmpty()
        ? "has not begun"
        : waits(come, admin) + " wait; " + progress.map(ListReceiversCommand::said).orElse(""));
    out.flush();
  }

  private static String said(DeliveryProgress progress) {
    var last = progress.deliveredAt().isEmpty() ? "never told" : "told last at " + progress.deliveredAt();
    return progress.problem().isEmpty() ? last : last + "; " + SafeText.singleLine(progress.problem(), LONGEST);
  }

  /** How many records it has not read yet; some may not be for it, some are the marks of transactions. */
  private static long waits(Map<TopicPartition, OffsetAndMetadata> come, Admin admin)
      throws ExecutionException, InterruptedException {
    var latest = come.keySet().stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        admin.listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)).all().get();
    return come.entrySet().stream()
        .mapToLong(each -> Objects.requireNonNull(ends.get(each.getKey())).offset() - each.getValue().offset())
        .sum();
  }
}
