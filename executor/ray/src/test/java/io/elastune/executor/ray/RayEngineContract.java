package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;

import io.elastune.executor.engine.EngineContract;
import java.time.Duration;

/** Runs the contract suite with trials that are shell scripts. */
abstract class RayEngineContract extends EngineContract {
  RayEngineContract() {}

  RayEngineContract(String run) {
    super(run);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  @Override
  protected String command(Trial trial) {
    return switch (trial) {
      case SUCCEEDS -> lib("train");
      case CRASHES -> lib("echo 'fatal error' >&2; exit 3");
      case SAVES_WHEN_STOPPED ->
          lib("trap 'save 1; exit 75' TERM; report 1; while true; do sleep 0.1; done");
      case IGNORES_STOP -> lib("trap '' TERM; report 1; while true; do sleep 0.1; done");
    };
  }
}
