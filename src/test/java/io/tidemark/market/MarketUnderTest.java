package io.tidemark.market;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;

/** A market under test, and how tests put questions to it. */
abstract class MarketUnderTest {
  /** Pages that anybody may ask for. */
  private static final int PAGES = 10;

  protected abstract MarketData market();

  /** What the market's clock shows. */
  protected abstract Instant now();

  protected KnownIds ids() {
    return KnownIds.SIMULATED;
  }

  final <A> A ask(Query<A> query) {
    return answer(query).body().read();
  }

  final <A> Answer<A> answer(Query<A> query) {
    return Objects.requireNonNull(query.askOf(market()).block());
  }

  static <R extends SpecificRecord> List<R> resources(List<Observation<R>> observed) {
    return observed.stream().map(Observation::resource).toList();
  }

  final void assertNotFound(Query<?> query) {
    assertThatThrownBy(() -> ask(query)).isInstanceOf(Failure.NotFound.class);
  }

  static <T> List<T> everyPage(IntFunction<List<T>> page) {
    return IntStream.rangeClosed(1, PAGES).mapToObj(page).flatMap(List::stream).toList();
  }
}
