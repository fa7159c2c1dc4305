package io.tidemark.tape;

import io.tidemark.event.PageLook;
import io.tidemark.event.TargetState;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The committed sweeps of all targets, those of each in order, held against the bodies that they name. */
final class Looks {
  private static final String LAW = "every look is on the tape";

  private final Bodies bodies;
  private final Consumer<Complaint> complaints;
  private final Map<String, TargetState> newest = new HashMap<>();

  /** When each target was last seen. */
  private final Map<String, Instant> seen = new HashMap<>();

  private Looks(Bodies bodies, Consumer<Complaint> complaints) {
    this.bodies = bodies;
    this.complaints = complaints;
  }

  static List<Look> of(Tape tape, Bodies bodies, Consumer<Complaint> complaints) {
    var looks = new Looks(bodies, complaints);
    return tape.in(tape.topics().targetState())
        .filter(entry -> entry.value() != null)
        .map(looks::look)
        .toList();
  }

  private Look look(Tape.Entry entry) {
    var state = (TargetState) Objects.requireNonNull(entry.value());
    TargetState before = newest.put(state.getTarget(), state);
    continues(state, before);
    var pages = new ArrayList<Page>();
    for (PageLook page : state.getPages()) {
      Bodies.Body body = bodies.find(page.getRequestId());
      if (body == null) {
        complain(state, "body of page " + page.getPage(), "an answer of the origin", page.getRequestId());
      } else {
        same(state, "digest of page " + page.getPage(), sha256(body.bytes()), page.getDigest());
        read(state, body, page, pages);
      }
    }
    var look = new Look(entry.timestamp(), state, pages, seen.get(state.getTarget()));
    seen(look);
    return look;
  }

  /** A look that failed, or showed only a part of what was seen whole, does not count as one that saw. */
  private void seen(Look look) {
    TargetState state = look.state();
    if (look.disbelieved()) {
      return;
    }
    boolean sees = look.whole() || (look.seenBefore() == null && !look.pages().isEmpty());
    same(state, "observed_at", sees || look.seenBefore() == null ? look.at() : look.seenBefore(),
        state.getObservedAt());
    if (look.whole()) {
      same(state, "previous_observed_at", look.seenBefore(), state.getPreviousObservedAt());
    }
    if (sees) {
      seen.put(state.getTarget(), look.at());
    }
  }

  /** A look at what is no answer shows nothing, and is not whole. */
  private void read(TargetState state, Bodies.Body body, PageLook page, List<Page> pages) {
    if (body.url() != null) {
      pages.add(Page.read(body.url(), body.bytes(), page.getAsOf()));
    } else {
      same(state, "complete", false, state.getComplete());
    }
  }

  private void continues(TargetState state, @Nullable TargetState before) {
    same(state, "sweep", before == null ? 1L : before.getSweep() + 1, state.getSweep());
    if (before == null) {
      return;
    }
    boolean refused = state.getRefusals().stream().anyMatch(each -> each.getReason().equals("older"));
    if (!state.getChanged() && !refused) {
      same(state, "digests of an unchanged look", digests(before), digests(state));
    }
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageLook::getDigest).toList();
  }

  private void same(TargetState state, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      complain(state, where, expected, found);
    }
  }

  private void complain(TargetState state, String where, @Nullable Object expected, @Nullable Object found) {
    complaints.accept(new Complaint(LAW, "target", state.getTarget(), state.getSweep(), where, expected, found));
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
