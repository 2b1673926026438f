package io.elastune.executor.shell;

import io.elastune.executor.core.Answer;
import io.elastune.executor.core.Command;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.replan.Replans;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the planner asked on a thread of its own, so that supervision never waits for it. */
final class Rethinking implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rethinking.class);

  private final Optional<Replans> replans;
  private final InstantSource time;
  private final Consumer<RunEvent> answers;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(Rethinking::daemon);

  Rethinking(Optional<Replans> replans, InstantSource time, Consumer<RunEvent> answers) {
    this.replans = replans;
    this.time = time;
    this.answers = answers;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "elastune-replan");
    thread.setDaemon(true);
    return thread;
  }

  void ask(Command.Replan command) {
    thread.execute(
        () -> {
          Answer answer = answer(command);
          answers.accept(new RunEvent.Replanned(command.number(), answer, time.instant()));
        });
  }

  /**
   * A planner that fails is a bug of ours, and no reason to give a run up: it goes on as it does.
   */
  private Answer answer(Command.Replan command) {
    try {
      return replans.map(planner -> planner.answer(command.question())).orElse(Answer.NONE);
    } catch (RuntimeException e) {
      LOG.error("the rest of the run could not be planned anew", e);
      return Answer.NONE;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
