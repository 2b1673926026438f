/** One class per command; each holds options only and hands over to {@code action}. */
@NullMarked
package io.elastune.cli.command;

import org.jspecify.annotations.NullMarked;
