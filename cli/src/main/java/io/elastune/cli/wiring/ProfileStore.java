package io.elastune.cli.wiring;

import io.elastune.core.job.Job;
import io.elastune.core.profile.Profile;
import java.nio.file.Path;
import java.util.Optional;

/** The profiles that were measured and kept. */
public interface ProfileStore {
  /** Keeps nothing. */
  ProfileStore EMPTY = (job, folder, gpu) -> Optional.empty();

  /**
   * The newest profile of {@code job}'s program on {@code gpu} that may still be reused.
   *
   * @param folder the job file's, to which its paths are relative
   */
  Optional<Loaded<Profile>> find(Job job, Path folder, String gpu);
}
