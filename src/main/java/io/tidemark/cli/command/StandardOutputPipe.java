package io.tidemark.cli.command;

import io.tidemark.cli.print.ProgressBar;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, where that is a pipe. A write fails when the program that reads the pipe has ended; a command that waits
 * for records has nothing to write, and asks {@code poll(2)}. Java calls it from version 22 on; the program is compiled for
 * 21, hence the reflection. Where it cannot be called, the pipe counts as open.
 */
final class StandardOutputPipe {

  private static final int JAVA_WITH_FOREIGN_FUNCTIONS = 22;
  private static final int STANDARD_OUTPUT = 1;
  private static final int EVENTS_OFFSET = 6;
  private static final int ERROR_OR_HANG_UP = 0x8 | 0x10;

  /** A {@code struct pollfd}: descriptor, wanted events, events. */
  private final ByteBuffer descriptor = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
  /** Of the C library, bound to its arguments; null where it cannot be called, or nobody has asked yet. */
  private @Nullable MethodHandle poll;
  private boolean isAsked;

  boolean isClosed() {
    if (!isAsked) {
      isAsked = true;
      descriptor.putInt(0, STANDARD_OUTPUT);
      poll = ProgressBar.isTerminal() ? null : poll(descriptor);
    }
    if (poll == null) {
      return false;
    }
    try {
      return (int) poll.invoke() > 0 && (descriptor.getShort(EVENTS_OFFSET) & ERROR_OR_HANG_UP) != 0;
    } catch (Throwable e) { // as the handle declares; the C function throws nothing
      throw new IllegalStateException("poll(2) cannot be called", e);
    }
  }

  private static @Nullable MethodHandle poll(ByteBuffer descriptor) {
    if (Runtime.version().feature() < JAVA_WITH_FOREIGN_FUNCTIONS) {
      return null;
    }
    try {
      var linker = foreign("Linker");
      var layout = foreign("MemoryLayout");
      var segment = foreign("MemorySegment");
      var function = foreign("FunctionDescriptor");
      var library = linker.getMethod("defaultLookup").invoke(linker.getMethod("nativeLinker").invoke(null));
      var symbol = (Optional<?>) foreign("SymbolLookup").getMethod("find", String.class).invoke(library, "poll");
      if (symbol.isEmpty()) { // Windows
        return null;
      }
      var arguments = array(layout, List.of(value("ADDRESS"), value("JAVA_LONG"), value("JAVA_INT")));
      var type = function.getMethod("of", layout, arguments.getClass()).invoke(null, value("JAVA_INT"), arguments);
      var options = array(foreign("Linker$Option"), List.of());
      var handle = (MethodHandle) linker.getMethod("downcallHandle", segment, function, options.getClass())
          .invoke(linker.getMethod("nativeLinker").invoke(null), symbol.get(), type, options);
      var memory = segment.getMethod("ofBuffer", Buffer.class).invoke(null, descriptor);
      return MethodHandles.insertArguments(handle, 0, memory, 1L, 0);
    } catch (ReflectiveOperationException | RuntimeException e) { // native access is not allowed
      return null;
    }
  }

  private static Object array(Class<?> type, List<Object> elements) {
    var array = Array.newInstance(type, elements.size());
    for (int index = 0; index < elements.size(); index++) {
      Array.set(array, index, elements.get(index));
    }
    return array;
  }

  private static Object value(String layout) throws ReflectiveOperationException {
    return foreign("ValueLayout").getField(layout).get(null);
  }

  private static Class<?> foreign(String name) throws ReflectiveOperationException {
    return Class.forName("java.lang.foreign." + name);
  }
}
