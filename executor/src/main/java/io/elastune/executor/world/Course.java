package io.elastune.executor.world;

import io.elastune.core.Check;

/**
 * What an attempt takes if nothing comes in between.
 *
 * @param startupS seconds until its first unit begins
 * @param unitS seconds of each unit
 * @param stopS seconds that it needs for a last checkpoint when it is asked to stop
 * @param savesEvery units between two checkpoints; 0 if it saves only when it ends or is stopped
 * @param conduct how it behaves
 */
public record Course(double startupS, double unitS, double stopS, int savesEvery, Conduct conduct) {
  public Course {
    Check.notNegative("startupS", startupS);
    Check.notNegative("unitS", unitS);
    Check.notNegative("stopS", stopS);
    Check.atLeast("savesEvery", 0, savesEvery);
  }
}
