package io.elastune.profiler.history;

import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run has shown of the times of its training program on one GPU model.
 *
 * @param ended when the run ended
 * @param program the key of the program, as of stored profiles
 * @param code SHA-256 of its code
 */
public record ProgramEvidence(
    String run, Instant ended, Optional<String> code, String program, Profile profile) {}
