/** Commands about the user's accounts with clouds: what is left there, and what could be rented. */
@NullMarked
package io.elastune.cli.account;

import org.jspecify.annotations.NullMarked;
