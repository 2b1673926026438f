package io.elastune.provisioner.process;

import io.elastune.provisioner.process.OwnedProcesses.Signal;
import java.util.List;
import java.util.Optional;

/**
 * The end of the processes of one owner, who kills them in short intervals until none is left that
 * can be ended. A program such as {@code sudo} gives processes to other users.
 */
public final class ProcessEnd {
  /** After so many kills, all have ended that this user can end. */
  private static final int MOST_KILLS = 20;

  private int kills;

  /** Kills those that are left. */
  public void kill(OwnedProcesses family) {
    family.signal(Signal.KILL);
    kills++;
  }

  /**
   * Returns the processes that cannot be ended, for people, once all others have ended: usually
   * none. Empty as long as others are running.
   */
  public Optional<List<String>> remaining(OwnedProcesses family) {
    if (!family.isAlive()) {
      return Optional.of(List.of());
    }
    return kills < MOST_KILLS
        ? Optional.empty()
        : Optional.of(family.unendable()).filter(left -> !left.isEmpty());
  }
}
