package io.elastune.provisioner;

import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The settings with which a {@link CloudProvider} opens a cloud.
 *
 * @param home Elastune's home folder ({@code $ELASTUNE_HOME})
 * @param settings the file {@code clouds.yaml} with the settings of the user's accounts; may be
 *     missing
 * @param time the controller's clock
 */
public record CloudContext(Path home, Path settings, InstantSource time) {}
