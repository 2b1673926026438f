/** Commands that query the user's cloud accounts: {@code check} and {@code orphans}. */
@NullMarked
package io.elastune.cli.account;

import org.jspecify.annotations.NullMarked;
