package io.tidemark.judge;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.reducing;
import static java.util.stream.Collectors.toSet;

import io.tidemark.judge.Event.Place;
import io.tidemark.judge.LogReader.Read;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * All that was written and read in a run.
 *
 * @param events the log, with the records of each partition in their order
 * @param replicas checksums of the batches of each replica
 * @param during what a reader was given during the run
 * @param after what a reader was given after the run, from the beginning
 * @param failures why a reader could not read on
 */
public record History(List<Event> events, List<Map<Place, Long>> replicas, List<Read> during, List<Read> after,
    List<String> failures) {

  /** Reads the logs of all brokers, and takes what two readers were given. */
  public static History of(String prefix, List<BrokerLog> replicas, LogReader during, LogReader after)
      throws IOException {
    var checksums = new ArrayList<Map<Place, Long>>();
    for (BrokerLog replica : replicas) {
      checksums.add(replica.checksums(prefix));
    }
    return new History(replicas.getFirst().events(prefix), checksums, during.reads(), after.reads(), during.failures());
  }

  /** Returns how much there is to judge. */
  public String summary() {
    Map<Event.End, Set<String>> transactions = events.stream().map(Event::transaction)
        .collect(groupingBy(Event.Transaction::end, mapping(Event.Transaction::name, toSet())));
    var contents = events.stream().filter(Event::committed)
        .collect(groupingBy(each -> each.content().getClass().getSimpleName(), TreeMap::new, counting()));
    return "%d records, committed %s, in transactions %s, read %d times".formatted(events.size(), contents,
        transactions.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue().size()).sorted().toList(),
        during.size() + after.size());
  }

  /** Returns the offset after the last one of each partition. */
  Map<TopicPartition, Long> ends() {
    return replicas.getFirst().keySet().stream()
        .collect(groupingBy(Place::partition, mapping(each -> each.offset() + 1, reducing(0L, Math::max))));
  }
}
