/** Builds the wheels of a release. These are programs of the build, not tests. */
@NullMarked
package io.elastune.cli.wheel;

import org.jspecify.annotations.NullMarked;
