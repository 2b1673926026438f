package io.elastune.provisioner.gcp.sdk;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first needed: a client of Google's takes a second to make. */
final class Lazy<T> {
  private final Supplier<T> maker;
  private @Nullable T made;

  Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  synchronized T get() {
    T some = made;
    if (some == null) {
      some = maker.get();
      made = some;
    }
    return some;
  }
}
