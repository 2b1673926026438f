/** The environment of a command: streams, variables, folders, clock. */
@NullMarked
package io.elastune.cli.world;

import org.jspecify.annotations.NullMarked;
