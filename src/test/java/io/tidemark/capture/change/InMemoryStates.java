package io.tidemark.capture.change;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** States in memory: those of the ledger, without Kafka. Holds every change it was given. */
final class InMemoryStates implements KnownStates {
  final Map<String, SpecificRecord> states = new HashMap<>();
  final Map<String, TargetState> targets = new HashMap<>();
  final Map<String, TreeMap<Integer, TargetMembers>> members = new HashMap<>();
  final List<SpecificRecord> changes = new ArrayList<>();

  ChangeSet apply(ChangeSet changeSet) {
    targets.put(changeSet.targetState().getTarget(), changeSet.targetState());
    changeSet.members().forEach(
        page -> members.computeIfAbsent(page.getTarget(), any -> new TreeMap<>()).put(page.getPage(), page));
    changeSet.updates().forEach(this::apply);
    return changeSet;
  }

  void apply(ResourceUpdate update) {
    states.put(update.resource() + " " + update.key(), update.state());
    if (update.change() != null) {
      changes.add(update.change());
    }
  }

  /** All that is known goes through its bytes, as when a process ends and another goes on. */
  void restart() {
    states.replaceAll((name, state) -> reread(state));
    targets.replaceAll((name, state) -> reread(state));
    members.values().forEach(pages -> pages.replaceAll((page, record) -> reread(record)));
  }

  private static <R extends SpecificRecord> R reread(R record) {
    if (record == null) {
      return null;
    }
    try {
      var bytes = new ByteArrayOutputStream();
      var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new SpecificDatumWriter<R>(record.getSchema()).write(record, encoder);
      encoder.flush();
      var decoder = DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null);
      return new SpecificDatumReader<R>(record.getSchema()).read(null, decoder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public SpecificRecord find(String resource, String key) {
    return states.get(resource + " " + key);
  }

  @Override
  public TargetState targetState(String name) {
    return targets.get(name);
  }

  /** Like the ledger's store, returns page 0 and the pages from 1 up to the first that was not written. */
  @Override
  public List<TargetMembers> members(String target) {
    var written = members.getOrDefault(target, new TreeMap<>());
    return Stream.concat(Stream.ofNullable(written.get(0)), IntStream.iterate(1, page -> page + 1)
        .mapToObj(written::get).takeWhile(Objects::nonNull)).toList();
  }

  @Override
  public Set<String> targetsWithMember(String key) {
    return members.keySet().stream()
        .filter(target -> members.get(target).values().stream().anyMatch(page -> page.getMembers().contains(key)))
        .collect(Collectors.toSet());
  }
}
