/** The provider of the engine for Ray, and of clouds whose instances join a Ray cluster. */
@NullMarked
package io.elastune.executor.ray.provider;

import org.jspecify.annotations.NullMarked;
