/** The user's settings of Ray clusters: the section {@code ray} of {@code clouds.yaml}. */
@NullMarked
package io.elastune.executor.ray.settings;

import org.jspecify.annotations.NullMarked;
