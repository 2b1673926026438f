package io.elastune.provisioner;

import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What a kind of cloud is opened with.
 *
 * @param home the folder of Elastune's own files ({@code $ELASTUNE_HOME})
 * @param settings the file {@code clouds.yaml} that says how the user's accounts are set up; need
 *     not be there
 * @param time the controller's clock
 */
public record CloudContext(Path home, Path settings, InstantSource time) {}
