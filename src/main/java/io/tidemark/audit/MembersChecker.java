package io.tidemark.audit;

import io.tidemark.event.RankingState;
import io.tidemark.event.TargetMembers;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What the pages of a list showed last is its ranking. A token's own list is left out: its target shows the token, too.
 * Members are read before and after the rankings: a target whose members moved meanwhile is not judged.
 */
final class MembersChecker {

  private final Topics topics;
  private final CheckedReader reading;
  private final AuditReport report;
  private final Map<String, String> targets = new HashMap<>();

  MembersChecker(Topics topics, CheckedReader reading, AuditReport report) {
    this.topics = topics;
    this.reading = reading;
    this.report = report;
  }

  /** Notes at which target the order of a list was seen. */
  void note(String ranking, FoldedResource fold) {
    if (fold.target != null && !ranking.endsWith("/top")) {
      targets.put(ranking, fold.target);
    }
  }

  void check() {
    var before = new PageMembers();
    reading.ranges(topics.targetMembers()).forEach(range -> reading.readLedgerTopic(range, before::take));
    var rankings = new HashMap<String, CommittedRecord>();
    reading.ranges(topics.ranking().state())
        .forEach(range -> reading.readAgain(range, row -> rankings.put(row.keyText(), row)));
    var after = new PageMembers();
    reading.ranges(topics.targetMembers()).forEach(range -> reading.readAgain(range, after::take));
    targets.forEach((ranking, target) -> {
      if (rankings.containsKey(ranking) && before.of(target).equals(after.of(target))) {
        judge(Objects.requireNonNull(rankings.get(ranking)), after.of(target));
      }
    });
  }

  private void judge(CommittedRecord row, List<String> members) {
    if (row.value() instanceof RankingState state && state.getKnown().getOrder() != null
        && !state.getKnown().getOrder().getEntries().equals(members)) {
      report.add(Law.MEMBERS, row.position(), "known.order.entries", members, state.getKnown().getOrder().getEntries());
    }
  }

  /** Those of the targets that matter here, by page. */
  private final class PageMembers {

    private final Map<String, Map<Integer, List<String>>> pages = new HashMap<>();

    PageMembers() {
      targets.values().forEach(target -> pages.put(target, new TreeMap<>()));
    }

    void take(CommittedRecord row) {
      if (row.value() instanceof TargetMembers page && page.getPage() > 0 && pages.containsKey(page.getTarget())) {
        Objects.requireNonNull(pages.get(page.getTarget())).put(page.getPage(), page.getMembers());
      }
    }

    List<String> of(String target) {
      return Objects.requireNonNull(pages.get(target)).values().stream().flatMap(List::stream).distinct().toList();
    }
  }
}
