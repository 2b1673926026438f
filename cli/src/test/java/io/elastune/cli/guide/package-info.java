/** Executes the commands of the guides for new users. */
@NullMarked
package io.elastune.cli.guide;

import org.jspecify.annotations.NullMarked;
