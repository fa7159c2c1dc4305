package io.tidemark.market;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** A market under test, and how tests put questions to it. */
@ExtendWith(MarketUnderTest.DeviationsFail.class)
abstract class MarketUnderTest {
  /** Pages that anybody may ask for. */
  private static final int PAGES = 10;

  protected abstract MarketData market();

  /** What the market's clock shows. */
  protected abstract Instant now();

  /** Tests that the market fails on purpose: name of the method, and the reason. */
  protected Map<String, String> deviations() {
    return Map.of();
  }

  /** A test that the market fails on purpose must fail: where it passes, there is no deviation any more. */
  static final class DeviationsFail implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(Invocation<Void> test, ReflectiveInvocationContext<Method> method,
        ExtensionContext context) throws Throwable {
      var name = method.getExecutable().getName();
      var reason = ((MarketUnderTest) context.getRequiredTestInstance()).deviations().get(name);
      if (reason == null) {
        test.proceed();
      } else {
        assertThatThrownBy(test::proceed).as("a deviation: %s", reason).isNotNull();
      }
    }
  }

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
