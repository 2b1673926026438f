package io.elastune.cli.wiring;

import io.elastune.cli.world.World;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;

/** Loads job files. */
public final class JobLoader {
  private final World world;

  public JobLoader(World world) {
    this.world = world;
  }

  /** Returns the job in {@code file}, with the overrides of the command line. */
  public Loaded<Job> load(String file, Overrides overrides) {
    return new TextFiles(world)
        .read(world.path(file), (name, text) -> JobFile.parse(name, text, overrides))
        .orThrow();
  }
}
