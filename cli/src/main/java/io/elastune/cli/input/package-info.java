/** Loads the inputs of the commands: jobs, offers, profiles and plans. */
@NullMarked
package io.elastune.cli.input;

import org.jspecify.annotations.NullMarked;
