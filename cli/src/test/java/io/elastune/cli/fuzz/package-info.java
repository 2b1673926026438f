/** Feeds commands with mutated files. */
@NullMarked
package io.elastune.cli.fuzz;

import org.jspecify.annotations.NullMarked;
