package io.elastune.executor.shell;

import io.elastune.executor.core.Command;
import io.elastune.executor.replan.Replans;
import java.util.Optional;

/**
 * Who is asked while a run lasts, each on a thread of its own.
 *
 * @param replans who plans the rest of the run anew; nobody for one that keeps to its plan
 * @param payer who may allow it more than its budget; nobody where nobody sits at a terminal
 */
public record Advisers(Optional<Replans> replans, Optional<Payer> payer) {
  /** There is nobody to ask. */
  public static final Advisers NONE = new Advisers(Optional.empty(), Optional.empty());

  /** Whoever pays. */
  public interface Payer {
    /**
     * Whether the run may cost that much. May take as long as people take; is interrupted when the
     * run ends before.
     *
     * @throws InterruptedException when the answer is of no use any more
     */
    boolean allows(Command.AskBudget question) throws InterruptedException;
  }
}
