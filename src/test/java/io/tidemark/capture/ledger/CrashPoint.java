package io.tidemark.capture.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/** Where in its second transaction an instance dies; the first says who writes. */
enum CrashPoint {
  AFTER_SEND {
    @Override
    void commit(Producer<byte[], byte[]> producer) {
      producer.flush();
    }
  },
  DURING_COMMIT {
    @Override
    void commit(Producer<byte[], byte[]> producer) {
      Thread.ofPlatform().daemon().uncaughtExceptionHandler((thread, late) -> {}).start(producer::commitTransaction);
    }
  },
  AFTER_COMMIT {
    @Override
    void commit(Producer<byte[], byte[]> producer) {
      producer.commitTransaction();
    }
  };

  abstract void commit(Producer<byte[], byte[]> producer);

  /** Makes producers that do what this death does, and then nothing more. */
  ProducerFactory producers() {
    return config -> dying(ProducerFactory.KAFKA.create(config));
  }

  @SuppressWarnings("unchecked")
  private Producer<byte[], byte[]> dying(Producer<byte[], byte[]> producer) {
    var commits = new int[1];
    return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {Producer.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("commitTransaction") && ++commits[0] == 2) {
            commit(producer);
            throw new KafkaException("killed " + this);
          }
          return call(producer, method, arguments);
        });
  }

  private static Object call(Producer<byte[], byte[]> producer, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(producer, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
