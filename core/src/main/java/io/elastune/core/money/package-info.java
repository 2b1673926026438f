/** Money that is counted: the ledger's exact sums. */
@NullMarked
package io.elastune.core.money;

import org.jspecify.annotations.NullMarked;
