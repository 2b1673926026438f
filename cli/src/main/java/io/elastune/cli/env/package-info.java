/** The environment of a command: streams, variables, folders, clock. */
@NullMarked
package io.elastune.cli.env;

import org.jspecify.annotations.NullMarked;
