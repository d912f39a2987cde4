// What precompiled headers are made of that hold more than the forced one: it is empty, and their headers come before.
#pragma once
