package io.elastune.provisioner.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes the same call for several items at once, such as the regions of an account. */
public final class ParallelCalls {
  /** The highest number of calls at the same time; AWS has fewer than 40 regions. */
  private static final int MOST = 40;

  private ParallelCalls() {}

  /**
   * Makes the call for every item, also if some of the calls fail, and returns after all of them.
   *
   * @throws RuntimeException the failure of the first item whose call failed
   */
  public static <T> void forEach(List<? extends T> items, Consumer<T> call) {
    List<Optional<RuntimeException>> failures =
        map(
            List.<T>copyOf(items),
            item -> {
              try {
                call.accept(item);
                return Optional.empty();
              } catch (RuntimeException e) {
                return Optional.of(e);
              }
            });
    failures.stream()
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  /** Runs the tasks at the same time, and returns after all of them; see {@link #forEach}. */
  public static void run(List<? extends Runnable> tasks) {
    forEach(tasks, Runnable::run);
  }

  /**
   * Returns the results in the order of the items.
   *
   * @throws RuntimeException the failure of the first item whose call failed
   */
  public static <T, R> List<R> map(List<T> items, Function<T, R> call) {
    if (items.size() <= 1) {
      return items.stream().map(call).toList();
    }
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(MOST, items.size()));
    try {
      List<CompletableFuture<R>> calls = new ArrayList<>();
      items.forEach(item -> calls.add(CompletableFuture.supplyAsync(() -> call.apply(item), pool)));
      return calls.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    } finally {
      pool.shutdown();
    }
  }
}
