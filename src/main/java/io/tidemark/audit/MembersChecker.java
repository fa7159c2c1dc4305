package io.tidemark.audit;

import io.tidemark.event.RankingState;
import io.tidemark.event.TargetMembers;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A checker that the members of a target that is a list, as recorded in {@code target.members}, are the pools of the
 * list's ranking in the same order. It skips the list of a token's top pools, because the target of that list also
 * shows the token. It reads the members before and after it reads the rankings, and skips a target whose members
 * changed meanwhile. It also skips a target that is no longer watched, because the target's members are deleted.
 */
final class MembersChecker {

  private final Topics topics;
  private final CheckedReader reader;
  private final AuditReport report;
  private final Map<String, String> targets = new HashMap<>();

  MembersChecker(Topics topics, CheckedReader reader, AuditReport report) {
    this.topics = topics;
    this.reader = reader;
    this.report = report;
  }

  /** Notes the target that showed the newest order of a ranking, unless this is a list of a token's top pools. */
  void note(String ranking, AuditedFold fold) {
    if (fold.target() != null && !ranking.endsWith("/top")) {
      targets.put(ranking, fold.target());
    }
  }

  void check() {
    var before = new PageMembers();
    reader.ranges(topics.targetMembers()).forEach(range -> reader.readLedgerTopic(range, before::add));
    var rankings = new HashMap<String, CommittedRecord>();
    reader.ranges(topics.ranking().state())
        .forEach(range -> reader.readAgain(range, record -> rankings.put(record.keyText(), record)));
    var after = new PageMembers();
    reader.ranges(topics.targetMembers()).forEach(range -> reader.readAgain(range, after::add));
    targets.forEach((ranking, target) -> {
      if (rankings.containsKey(ranking) && after.isKnown(target) && before.of(target).equals(after.of(target))) {
        check(Objects.requireNonNull(rankings.get(ranking)), after.of(target));
      }
    });
  }

  private void check(CommittedRecord record, List<String> members) {
    var order = record.value() instanceof RankingState state ? state.getKnown().getOrder() : null;
    if (order != null && !order.getEntries().equals(members)) {
      report.add(ConsistencyLaw.MEMBERS, record.position(), "known.order.entries", members, order.getEntries());
    }
  }

  /** The members of the targets that show a ranking, by page. */
  private final class PageMembers {

    private final Map<String, Map<Integer, TargetMembers>> pages = new HashMap<>();

    PageMembers() {
      targets.values().forEach(target -> pages.put(target, new TreeMap<>()));
    }

    void add(CommittedRecord record) {
      if (record.value() instanceof TargetMembers page && page.getPage() > 0 && pages.containsKey(page.getTarget())) {
        Objects.requireNonNull(pages.get(page.getTarget())).put(page.getPage(), page);
      } else if (record.value() == null) {
        var key = record.keyText();
        pages.getOrDefault(key.substring(0, Math.max(0, key.lastIndexOf('#'))), new TreeMap<>()).values()
            .removeIf(page -> key.equals(page.getTarget() + "#" + page.getPage()));
      }
    }

    /**
     * Returns whether the target has pages. A target that is no longer watched has no pages, although its ranking is
     * evicted only a little later.
     */
    boolean isKnown(String target) {
      return !Objects.requireNonNull(pages.get(target)).isEmpty();
    }

    List<String> of(String target) {
      return Objects.requireNonNull(pages.get(target)).values().stream()
          .flatMap(page -> page.getMembers().stream()).distinct().toList();
    }
  }
}
